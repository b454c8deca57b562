import { Module, type DynamicModule } from '@nestjs/common';
import { FilesController } from './files/index.js';
import { FoldersController } from './folders/index.js';
import { ItemNews, ItemsController, ItemsInternalController } from './items/index.js';
import { MediaObjects } from './objects/index.js';
import { ProvidersController } from './providers/index.js';
import { UploadsController, UploadServices } from './uploads/index.js';
import { ActivationController, ActivationServices, UsageController, UsageServices } from './usage/index.js';
import { Variants, VariantSignatures } from './variants/index.js';

export interface MediaParts {
  objects: MediaObjects;
  uploads: UploadServices;
  usage: UsageServices;
  activation: ActivationServices;
  variants: Variants;
  signatures: VariantSignatures;
  news: ItemNews;
}

/** Wires the media service: the only file that sees all its resources. */
@Module({})
export class MediaModule {
  static with({
    objects,
    uploads,
    variants,
    signatures,
    usage,
    activation,
    news,
  }: MediaParts): DynamicModule {
    return {
      module: MediaModule,
      controllers: [
        ActivationController,
        FilesController,
        FoldersController,
        ItemsController,
        ItemsInternalController,
        ProvidersController,
        UploadsController,
        UsageController,
      ],
      providers: [
        { provide: MediaObjects, useValue: objects },
        { provide: UploadServices, useValue: uploads },
        { provide: UsageServices, useValue: usage },
        { provide: ActivationServices, useValue: activation },
        { provide: Variants, useValue: variants },
        { provide: VariantSignatures, useValue: signatures },
        { provide: ItemNews, useValue: news },
      ],
    };
  }
}
