export { NotFoundEntry } from './not-found.entity.js';
export { NotFoundLogController } from './not-found-log.controller.js';
export { NotFoundRecorder } from './not-found-recorder.js';
