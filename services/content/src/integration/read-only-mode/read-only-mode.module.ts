import { APP_INTERCEPTOR } from '@nestjs/core';
import { ResourceModule } from '@quire/operation';
import { ReadOnlyModeInterceptor } from './read-only-mode.interceptor.js';

@ResourceModule({ providers: [{ provide: APP_INTERCEPTOR, useClass: ReadOnlyModeInterceptor }] })
export class ReadOnlyModeModule {}
