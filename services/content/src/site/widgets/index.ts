export { WidgetArea } from './widget-area.entity.js';
export { Widget } from './widget.entity.js';
