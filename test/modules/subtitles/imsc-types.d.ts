interface Content {
  kind: string;
  text?: string;
  contents?: Content[];
  styleAttrs: Record<string, unknown>;
}

interface ErrorHandler {
  info(message: string): boolean;
  warn(message: string): boolean;
  error(message: string): boolean;
  fatal(message: string): boolean;
}

interface ImscDocument {
  getMediaTimeEvents(): number[];
}

/* The main module also has the renderer, which needs a browser. */

declare module 'imsc/src/main/js/doc.js' {
  const doc: { fromXML(xml: string, handler: ErrorHandler): ImscDocument | null };
  export = doc;
}

declare module 'imsc/src/main/js/isd.js' {
  const isd: {
    generateISD(document: ImscDocument, seconds: number, handler: ErrorHandler): Content;
  };
  export = isd;
}
