export { BylineField } from './byline-field.entity.js';
export { Byline, BylineGroup } from './byline.entity.js';
export { lockUserLinks } from './bylines.repository.js';
export { deleteCredits } from './delete-credits.repository.js';
