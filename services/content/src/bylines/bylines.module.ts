import { ResourceModule } from '@quire/operation';
import { BylineField } from './byline-field.entity.js';
import { BylineFieldsController } from './byline-fields.controller.js';
import { Byline, BylineGroup } from './byline.entity.js';
import { BylinesController } from './bylines.controller.js';
import { BylineTools } from './bylines.tools.js';
import { EntryByline } from './credits/index.js';

@ResourceModule({
  controllers: [BylinesController, BylineFieldsController],
  providers: [BylineTools],
  entities: [Byline, BylineGroup, BylineField, EntryByline],
})
export class BylinesModule {}
