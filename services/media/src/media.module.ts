import { Module, type DynamicModule } from '@nestjs/common';
import { firstReasonOf, type WriteGuard } from '@quire/http-server';
import { toolsModule } from '@quire/mcp-tools';
import { entitiesOf, globalProviders } from '@quire/operation';
import { FilesModule } from './files/files.module.js';
import { FoldersModule } from './folders/folders.module.js';
import { ItemsModule } from './items/items.module.js';
import { MediaChangeNotifier } from './items/index.js';
import { MediaObjects } from './objects/index.js';
import { ProvidersModule } from './providers/providers.module.js';
import { SiteRecordsModule } from './site-records/site-records.module.js';
import { UploadDeps } from './uploads/index.js';
import { UploadsModule } from './uploads/uploads.module.js';
import { ActivationService, assertNotActivating, UsageDeps } from './usage/index.js';
import { UsageModule } from './usage/usage.module.js';
import { Variants, VariantSignatures } from './variants/index.js';
import { VariantsModule } from './variants/variants.module.js';

/** The resources of the media service. A new one is registered here and nowhere else. */
const resources = [
  FilesModule,
  FoldersModule,
  ItemsModule,
  ProvidersModule,
  SiteRecordsModule,
  UploadsModule,
  UsageModule,
  VariantsModule,
];

/** The fixed tables that the resources declare. */
export const mediaEntities = entitiesOf(resources);

export interface MediaDeps {
  objects: MediaObjects;
  uploads: UploadDeps;
  usage: UsageDeps;
  activation: ActivationService;
  variants: Variants;
  signatures: VariantSignatures;
  notifier: MediaChangeNotifier;
  /** Rejects writes during a site import. */
  importGuard: WriteGuard;
  /** Maximum size of the arguments of a tool in bytes: of the largest file in base64. */
  maxToolArgumentsBytes: number;
}

/** Wires the resources of the media service. */
@Module({})
export class MediaModule {
  static with(deps: MediaDeps): DynamicModule {
    return {
      module: MediaModule,
      imports: [
        ...resources,
        toolsModule({
          service: 'media',
          writeGuard: firstReasonOf(deps.importGuard, {
            assertWritable: ({ db }) => assertNotActivating(db),
          }),
          maxArgumentsBytes: deps.maxToolArgumentsBytes,
        }),
        globalProviders([
          { provide: MediaObjects, useValue: deps.objects },
          { provide: UploadDeps, useValue: deps.uploads },
          { provide: UsageDeps, useValue: deps.usage },
          { provide: ActivationService, useValue: deps.activation },
          { provide: Variants, useValue: deps.variants },
          { provide: VariantSignatures, useValue: deps.signatures },
          { provide: MediaChangeNotifier, useValue: deps.notifier },
        ]),
      ],
    };
  }
}
