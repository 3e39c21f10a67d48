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

interface PageFile {
  readonly type: string;
  readonly text: string;
}

const script = (text: string): PageFile => ({ type: 'text/javascript; charset=utf-8', text });

/**
 * The files of the page by their names below `/_sandbox`; the page itself is at `/`. They are part of
 * this program, so it needs none on disk.
 */
export const pageFiles: Readonly<Record<string, PageFile>> = {
  '/': { type: 'text/html; charset=utf-8', text: html },
  'style.css': { type: 'text/css; charset=utf-8', text: style },
  'icon.svg': { type: 'image/svg+xml', text: icon },
  'dom.js': script(dom),
  'faults.js': script(faults),
  'json.js': script(json),
  'page.js': script(page),
  'recordEditor.js': script(recordEditor),
  'records.js': script(records),
  'requestDetail.js': script(requestDetail),
  'requests.js': script(requests),
};
