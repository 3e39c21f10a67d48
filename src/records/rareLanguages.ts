/** Half a megabyte: a file of its own, so that it is loaded alone. */
export { iso6393 } from 'iso-639-3';
