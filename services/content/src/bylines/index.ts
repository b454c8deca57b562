export { BylineField } from './byline-field.entity.js';
export { BylineFieldsController } from './byline-fields.controller.js';
export { BylineGroup } from './byline-group.entity.js';
export { Byline } from './byline.entity.js';
export { BylinesController } from './bylines.controller.js';
