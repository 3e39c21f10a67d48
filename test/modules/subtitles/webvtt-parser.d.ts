declare module 'webvtt-parser' {
  export class WebVTTParser {
    parse(
      input: string,
      mode: 'subtitles' | 'metadata' | 'chapters',
    ): {
      errors: { message: string; line: number }[];
      cues: { id: string; startTime: number; endTime: number; text: string }[];
    };
  }
}
