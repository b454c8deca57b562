export { Menu } from './menu.entity.js';
export { MenuItem } from './menu-item.entity.js';
export { MenusController } from './menus.controller.js';
