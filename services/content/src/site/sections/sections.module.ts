import { ResourceModule } from '@quire/operation';
import { Section } from './section.entity.js';
import { SectionsController } from './sections.controller.js';

@ResourceModule({ controllers: [SectionsController], entities: [Section] })
export class SectionsModule {}
