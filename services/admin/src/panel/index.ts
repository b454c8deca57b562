export { PanelController } from './panel.controller.js';
