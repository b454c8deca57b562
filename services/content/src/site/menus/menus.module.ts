import { ResourceModule } from '@quire/operation';
import { MenuItem } from './menu-item.entity.js';
import { Menu } from './menu.entity.js';
import { MenusController } from './menus.controller.js';

@ResourceModule({ controllers: [MenusController], entities: [Menu, MenuItem] })
export class MenusModule {}
