import { Module, type DynamicModule } from '@nestjs/common';
import { FilesController } from './files/index.js';
import { FoldersController } from './folders/index.js';
import { ItemsController } from './items/index.js';
import { MediaObjects } from './objects/index.js';
import { ProvidersController } from './providers/index.js';
import { UploadsController, UploadServices } from './uploads/index.js';
import { Variants } from './variants/index.js';

export interface MediaParts {
  objects: MediaObjects;
  uploads: UploadServices;
  variants: Variants;
}

/** Wires the media service: the only file that sees all its resources. */
@Module({})
export class MediaModule {
  static with({ objects, uploads, variants }: MediaParts): DynamicModule {
    return {
      module: MediaModule,
      controllers: [
        FilesController,
        FoldersController,
        ItemsController,
        ProvidersController,
        UploadsController,
      ],
      providers: [
        { provide: MediaObjects, useValue: objects },
        { provide: UploadServices, useValue: uploads },
        { provide: Variants, useValue: variants },
      ],
    };
  }
}
