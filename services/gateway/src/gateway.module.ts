import { Module, type DynamicModule } from '@nestjs/common';
import { documentSource, OpenApiController, type DocumentSource } from './openapi/openapi.controller.js';

/** The routes that the gateway answers itself. */
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
