import { ResourceModule } from '@quire/operation';
import { MediaReferencesInternalController } from './media-references.internal.controller.js';

@ResourceModule({ controllers: [MediaReferencesInternalController] })
export class MediaReferencesModule {}
