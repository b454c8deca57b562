export { NotFoundRecorder } from './not-found-recorder.js';
