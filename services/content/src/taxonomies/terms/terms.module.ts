import { ResourceModule } from '@quire/operation';
import { EntryTerm } from './entry-term.entity.js';
import { EntryTermsController } from './entry-terms.controller.js';
import { TermGroup } from './term-group.entity.js';
import { Term } from './term.entity.js';
import { TermsController } from './terms.controller.js';
import { TermTools } from './terms.tools.js';

@ResourceModule({
  controllers: [TermsController, EntryTermsController],
  providers: [TermTools],
  entities: [TermGroup, Term, EntryTerm],
})
export class TermsModule {}
