import html from './index.html?raw';
import script from './page.js?raw';
import style from './style.css?raw';

interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** The page's files by their paths. */
export const pageFiles: Readonly<Record<string, PageFile | undefined>> = {
  '/': { type: 'text/html; charset=utf-8', text: html },
  '/_sandbox/page.js': { type: 'text/javascript; charset=utf-8', text: script },
  '/_sandbox/style.css': { type: 'text/css; charset=utf-8', text: style },
};
