export { Redirect } from './redirect.entity.js';
export { entryPath, SlugRedirects } from './slug-redirects.js';
export { VisitRecorder } from './visit-recorder.js';
