import { Module, type DynamicModule } from '@nestjs/common';
import { documentSource, OpenApiController, type DocumentSource } from './openapi/openapi.controller.js';

/** The routes of the gateway's own operations. */
@Module({})
export class GatewayModule {
  static with(source: DocumentSource): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [OpenApiController],
      providers: [{ provide: documentSource, useValue: source }],
    };
  }
}
