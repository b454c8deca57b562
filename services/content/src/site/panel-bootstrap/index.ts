export { PanelBootstrapDeps } from './panel-bootstrap.operations.js';
