import { Module, type DynamicModule } from '@nestjs/common';
import { SearchController } from './search/index.js';
import { SearchDeps } from './search-deps.js';
import { SettingsController } from './settings/index.js';

/** Wires the search service: the only file that sees all its resources. */
@Module({})
export class SearchModule {
  static with(deps: SearchDeps): DynamicModule {
    return {
      module: SearchModule,
      controllers: [SearchController, SettingsController],
      providers: [{ provide: SearchDeps, useValue: deps }],
    };
  }
}
