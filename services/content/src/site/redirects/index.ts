export { Redirect } from './redirect.entity.js';
export { RedirectsController } from './redirects.controller.js';
export { entryPath, SlugRedirects } from './slug-redirects.js';
export { VisitRecorder } from './visit-recorder.js';
