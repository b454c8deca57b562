import { Module, type DynamicModule } from '@nestjs/common';
import { QueriesController } from './queries/index.js';
import { SearchServices } from './search-services.js';
import { SettingsController } from './settings/index.js';

/** Wires the search service: the only file that sees all its resources. */
@Module({})
export class SearchModule {
  static with(services: SearchServices): DynamicModule {
    return {
      module: SearchModule,
      controllers: [QueriesController, SettingsController],
      providers: [{ provide: SearchServices, useValue: services }],
    };
  }
}
