import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CacheInvalidationBus, OutboxDispatcher } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { CommentsController, CommentDeps, type Captcha, type CommenterCookie } from './comments/index.js';
import { Dashboard, DashboardController } from './dashboard/index.js';
import { EntriesController, EntryUrlListener, EntryDeps } from './entries/index.js';
import { BylineFieldsController, BylinesController } from './bylines/index.js';
import { Locales } from './locales/index.js';
import { LocksController } from './locks/index.js';
import { ReferencesController } from './references/index.js';
import { ManifestController, ManifestDeps } from './manifest/index.js';
import { MediaReferencesController } from './media-references/index.js';
import { MediaClient } from './media/index.js';
import { MenusController } from './menus/index.js';
import { NotFoundLogController, NotFoundRecorder } from './not-found-log/index.js';
import { PreviewLinks, PreviewsController } from './previews/index.js';
import { RedirectsController, VisitRecorder, SlugRedirects } from './redirects/index.js';
import { RevisionsController } from './revisions/index.js';
import {
  BlockTypesController,
  CollectionsController,
  Definitions,
  FieldsController,
  OrphansController,
  RelationsController,
  SchemaChanges,
  SchemaInternalController,
} from './schema/index.js';
import { TaxonomiesController } from './taxonomies/index.js';
import { EntryTermsController, TermsController } from './terms/index.js';
import { SectionsController } from './sections/index.js';
import { SearchDocumentsInternalController } from './search-documents/index.js';
import { SeedInternalController } from './seed/index.js';
import { SettingsController, SettingsInternalController } from './settings/index.js';
import { AuthClient } from './users/index.js';
import { WidgetsController } from './widgets/index.js';
import { ReadOnlyModeInterceptor, ReadOnlyMode } from './read-only-mode/index.js';

export interface ContentDeps {
  definitions: Definitions;
  readOnlyMode: ReadOnlyMode;
  relay: CacheInvalidationBus;
  locales: Locales;
  users: AuthClient;
  media: MediaClient;
  dispatcher: OutboxDispatcher;
  visitRecorder: VisitRecorder;
  limiter: RateLimiter;
  captcha: Captcha;
  commenters: CommenterCookie;
  dashboard: Dashboard;
  previews: PreviewLinks;
  /** Of the API, for the manifest. */
  version: string;
}

/** Wires the content service: the only file that sees all its resources. */
@Module({})
export class ContentModule {
  static with(deps: ContentDeps): DynamicModule {
    const {
      definitions,
      readOnlyMode,
      relay,
      locales,
      users,
      media,
      dispatcher,
      visitRecorder,
      limiter,
      captcha,
      commenters,
      dashboard,
      previews,
      version,
    } = deps;
    return {
      module: ContentModule,
      controllers: [
        BlockTypesController,
        CollectionsController,
        FieldsController,
        OrphansController,
        RelationsController,
        EntriesController,
        RevisionsController,
        PreviewsController,
        ReferencesController,
        LocksController,
        TaxonomiesController,
        TermsController,
        EntryTermsController,
        SectionsController,
        WidgetsController,
        MediaReferencesController,
        MenusController,
        BylinesController,
        BylineFieldsController,
        SeedInternalController,
        SchemaInternalController,
        SearchDocumentsInternalController,
        SettingsController,
        SettingsInternalController,
        RedirectsController,
        NotFoundLogController,
        CommentsController,
        ManifestController,
        DashboardController,
      ],
      providers: [
        EntryDeps,
        { provide: EntryUrlListener, useClass: SlugRedirects },
        SchemaChanges,
        { provide: Definitions, useValue: definitions },
        { provide: ReadOnlyMode, useValue: readOnlyMode },
        { provide: APP_INTERCEPTOR, useClass: ReadOnlyModeInterceptor },
        { provide: CacheInvalidationBus, useValue: relay },
        { provide: Locales, useValue: locales },
        { provide: AuthClient, useValue: users },
        { provide: MediaClient, useValue: media },
        { provide: OutboxDispatcher, useValue: dispatcher },
        { provide: PreviewLinks, useValue: previews },
        { provide: VisitRecorder, useValue: visitRecorder },
        { provide: NotFoundRecorder, useValue: visitRecorder.notFound },
        { provide: Dashboard, useValue: dashboard },
        { provide: ManifestDeps, useValue: new ManifestDeps(locales, users, media, version) },
        {
          provide: CommentDeps,
          useValue: new CommentDeps(limiter, users, captcha, commenters, dispatcher),
        },
      ],
    };
  }
}
