export { NotFoundEntry } from './not-found.entity.js';
export { NotFoundLogController } from './not-found-log.controller.js';
export { notFoundLogMigration } from './not-found-log.tables.js';
export { NotFoundRecorder } from './not-found-recorder.js';
