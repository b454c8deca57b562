export { entryPath, SlugRedirects } from './slug-redirects.js';
export { VisitRecorder } from './visit-recorder.js';
