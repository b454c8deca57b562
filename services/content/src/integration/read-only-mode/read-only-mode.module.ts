import { APP_INTERCEPTOR } from '@nestjs/core';
import { ResourceModule } from '@quire/operation';
import { ReadOnlyModeInterceptor } from './read-only-mode.interceptor.js';
import { ReadOnlyReason } from './read-only-reason.entity.js';

@ResourceModule({
  providers: [{ provide: APP_INTERCEPTOR, useClass: ReadOnlyModeInterceptor }],
  entities: [ReadOnlyReason],
})
export class ReadOnlyModeModule {}
