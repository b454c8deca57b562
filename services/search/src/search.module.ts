import { Module, type DynamicModule } from '@nestjs/common';
import { toolsModule } from '@quire/mcp-tools';
import { entitiesOf, globalProviders } from '@quire/operation';
import { CollectionsModule } from './collections/collections.module.js';
import { SearchDeps } from './search-deps.js';
import { QueriesModule } from './search/queries.module.js';
import { SiteRecordsModule } from './site-records/site-records.module.js';
import { SettingsModule } from './settings/settings.module.js';

/** The resources of the search service. A new one is registered here and nowhere else. */
const resources = [CollectionsModule, QueriesModule, SettingsModule, SiteRecordsModule];

/** The fixed tables that the resources declare. */
export const searchEntities = entitiesOf(resources);

/** The tools of this service write nothing. */
const noWriteGuard = { assertWritable: () => Promise.resolve() };
const maxArgumentsBytes = 1024 * 1024;

/** Wires the resources of the search service. */
@Module({})
export class SearchModule {
  static with(deps: SearchDeps): DynamicModule {
    return {
      module: SearchModule,
      imports: [
        ...resources,
        toolsModule({ service: 'search', writeGuard: noWriteGuard, maxArgumentsBytes }),
        globalProviders([{ provide: SearchDeps, useValue: deps }]),
      ],
    };
  }
}
