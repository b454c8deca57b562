import { Module, type DynamicModule } from '@nestjs/common';
import { CacheRelay, OutboxDispatcher } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { CommentsController, CommentServices } from './comments/index.js';
import { EntriesController, EntryServices } from './entries/index.js';
import { Locales } from './locales/index.js';
import { RevisionsController } from './revisions/index.js';
import {
  CollectionsController,
  Definitions,
  FieldsController,
  OrphansController,
  SchemaChanges,
} from './schema/index.js';
import { UserDirectory } from './users/index.js';

export interface ContentParts {
  definitions: Definitions;
  relay: CacheRelay;
  locales: Locales;
  users: UserDirectory;
  dispatcher: OutboxDispatcher;
  limiter: RateLimiter;
}

/** Wires the content service: the only file that sees all its resources. */
@Module({})
export class ContentModule {
  static with({ definitions, relay, locales, users, dispatcher, limiter }: ContentParts): DynamicModule {
    return {
      module: ContentModule,
      controllers: [
        CollectionsController,
        FieldsController,
        OrphansController,
        EntriesController,
        RevisionsController,
        CommentsController,
      ],
      providers: [
        EntryServices,
        SchemaChanges,
        { provide: Definitions, useValue: definitions },
        { provide: CacheRelay, useValue: relay },
        { provide: Locales, useValue: locales },
        { provide: UserDirectory, useValue: users },
        { provide: OutboxDispatcher, useValue: dispatcher },
        { provide: CommentServices, useValue: new CommentServices(limiter, users) },
      ],
    };
  }
}
