import dom from '../page/dom.js?raw';
import faults from '../page/faults.js?raw';
import icon from '../page/icon.svg?raw';
import html from '../page/index.html?raw';
import json from '../page/json.js?raw';
import page from '../page/page.js?raw';
import recordEditor from '../page/recordEditor.js?raw';
import records from '../page/records.js?raw';
import requestDetail from '../page/requestDetail.js?raw';
import requests from '../page/requests.js?raw';
import style from '../page/style.css?raw';

const javascript = 'text/javascript; charset=utf-8';
const scripts = { dom, faults, json, page, recordEditor, records, requestDetail, requests };

/**
 * The files of the page by their names below `/_sandbox`; the page itself is at `/`. They are part of
 * this program, so it needs none on disk.
 */
export const pageFiles: readonly (readonly [name: string, type: string, text: string])[] = [
  ['/', 'text/html; charset=utf-8', html],
  ['style.css', 'text/css; charset=utf-8', style],
  ['icon.svg', 'image/svg+xml', icon],
  ...Object.entries(scripts).map(([name, text]) => [`${name}.js`, javascript, text] as const),
];
