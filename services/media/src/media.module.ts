import { Module, type DynamicModule } from '@nestjs/common';
import { FoldersController } from './folders/index.js';
import { ItemsController } from './items/index.js';
import { MediaObjects } from './objects/index.js';

export interface MediaParts {
  objects: MediaObjects;
}

/** Wires the media service: the only file that sees all its resources. */
@Module({})
export class MediaModule {
  static with({ objects }: MediaParts): DynamicModule {
    return {
      module: MediaModule,
      controllers: [FoldersController, ItemsController],
      providers: [{ provide: MediaObjects, useValue: objects }],
    };
  }
}
