export { AssetsController } from './assets.controller.js';
