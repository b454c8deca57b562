import { ResourceModule } from '@quire/operation';
import { MenuItem } from './menu-item.entity.js';
import { Menu } from './menu.entity.js';
import { MenusController } from './menus.controller.js';
import { MenuTools } from './menus.tools.js';

@ResourceModule({ controllers: [MenusController], providers: [MenuTools], entities: [Menu, MenuItem] })
export class MenusModule {}
