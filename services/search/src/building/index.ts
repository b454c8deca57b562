export { beginBuild } from './begin-build.js';
export { build, dropRetired } from './build.js';
export { isSameSpec, wantedSpec } from './index-spec.js';
export { reportLost, tendCollection, type TendOptions } from './tend-collection.js';
export { writeDocuments } from './write-documents.js';
