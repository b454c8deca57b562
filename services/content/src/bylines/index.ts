export { Byline, BylineGroup } from './byline.entity.js';
export { lockUserLinks } from './bylines.repository.js';
