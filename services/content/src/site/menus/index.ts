export { insertMenuItems, type NewMenuItem } from './menu-items.repository.js';
export { MenuItem, menuItemTypes, type MenuItemType } from './menu-item.entity.js';
export { Menu } from './menu.entity.js';
export { isOwnDescendant } from './menu-tree.policy.js';
export { insertMenu, lockMenus } from './menus.repository.js';
export { maxItems } from './menus.schemas.js';
