import { Module, type DynamicModule } from '@nestjs/common';
import { FilesController } from './files/index.js';
import { FoldersController } from './folders/index.js';
import { MediaChangeNotifier, ItemsController, ItemsInternalController } from './items/index.js';
import { MediaObjects } from './objects/index.js';
import { ProvidersController } from './providers/index.js';
import { UploadsController, UploadDeps } from './uploads/index.js';
import { ActivationController, ActivationService, UsageController, UsageDeps } from './usage/index.js';
import { Variants, VariantSignatures } from './variants/index.js';

export interface MediaDeps {
  objects: MediaObjects;
  uploads: UploadDeps;
  usage: UsageDeps;
  activation: ActivationService;
  variants: Variants;
  signatures: VariantSignatures;
  notifier: MediaChangeNotifier;
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
    notifier,
  }: MediaDeps): DynamicModule {
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
        { provide: UploadDeps, useValue: uploads },
        { provide: UsageDeps, useValue: usage },
        { provide: ActivationService, useValue: activation },
        { provide: Variants, useValue: variants },
        { provide: VariantSignatures, useValue: signatures },
        { provide: MediaChangeNotifier, useValue: notifier },
      ],
    };
  }
}
