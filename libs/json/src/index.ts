export { JsonText, stringifyJson } from './text/json-text.js';
export { memberTexts } from './text/member-texts.js';
