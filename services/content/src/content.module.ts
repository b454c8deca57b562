import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CacheInvalidationBus, OutboxDispatcher } from '@quire/messages';
import { entitiesOf, globalProviders } from '@quire/operation';
import type { RateLimiter } from '@quire/rate-limit';
import type { Captcha } from './comments/captcha.js';
import { CommentDeps } from './comments/comment-deps.js';
import type { CommenterCookie } from './comments/commenter-cookie.js';
import { CommentsModule } from './comments/comments.module.js';
import { Dashboard, DashboardController } from './site/dashboard/index.js';
import { EntriesModule } from './entries/entries.module.js';
import { EntryDeps, EntryUrlListener } from './entries/index.js';
import { BylinesModule } from './bylines/bylines.module.js';
import { Locales } from './locales/index.js';
import { LocksModule } from './entries/locks/locks.module.js';
import { ManifestController, ManifestDeps } from './site/manifest/index.js';
import { MediaReferencesInternalController } from './integration/media-references/index.js';
import { MediaClient, AuthClient } from './clients/index.js';
import { MenusController } from './site/menus/index.js';
import { NotFoundLogController, NotFoundRecorder } from './site/not-found-log/index.js';
import { PreviewLinks } from './entries/previews/preview-links.js';
import { PreviewsModule } from './entries/previews/previews.module.js';
import { RedirectsController, VisitRecorder, SlugRedirects } from './site/redirects/index.js';
import { RevisionsModule } from './entries/revisions/revisions.module.js';
import { Definitions, SchemaChanges } from './schema/index.js';
import { SchemaModule } from './schema/schema.module.js';
import { TaxonomiesController } from './taxonomies/definitions/index.js';
import { EntryTermsController, TermsController } from './taxonomies/terms/index.js';
import { SectionsModule } from './site/sections/sections.module.js';
import { SearchDocumentsInternalController } from './integration/search-documents/index.js';
import { SeedInternalController } from './site/seed/index.js';
import { SettingsController, SettingsInternalController } from './site/settings/index.js';
import { WidgetsController } from './site/widgets/index.js';
import { ReadOnlyModeInterceptor, ReadOnlyMode } from './integration/read-only-mode/index.js';

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

/** The resources of the content service. A new one is registered here and nowhere else. */
const resources = [
  BylinesModule,
  CommentsModule,
  EntriesModule,
  LocksModule,
  PreviewsModule,
  RevisionsModule,
  SchemaModule,
  SectionsModule,
];

/** The fixed tables that the resources declare. */
export const resourceEntities = entitiesOf(resources);

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
      imports: [
        ...resources,
        globalProviders([
          { provide: Definitions, useValue: definitions },
          SchemaChanges,
          EntryDeps,
          { provide: EntryUrlListener, useClass: SlugRedirects },
          { provide: PreviewLinks, useValue: previews },
          { provide: ReadOnlyMode, useValue: readOnlyMode },
          { provide: CacheInvalidationBus, useValue: relay },
          { provide: Locales, useValue: locales },
          { provide: AuthClient, useValue: users },
          { provide: MediaClient, useValue: media },
          { provide: OutboxDispatcher, useValue: dispatcher },
          {
            provide: CommentDeps,
            useValue: new CommentDeps(limiter, users, captcha, commenters, dispatcher),
          },
        ]),
      ],
      controllers: [
        TaxonomiesController,
        TermsController,
        EntryTermsController,
        WidgetsController,
        MediaReferencesInternalController,
        MenusController,
        SeedInternalController,
        SearchDocumentsInternalController,
        SettingsController,
        SettingsInternalController,
        RedirectsController,
        NotFoundLogController,
        ManifestController,
        DashboardController,
      ],
      providers: [
        { provide: APP_INTERCEPTOR, useClass: ReadOnlyModeInterceptor },
        { provide: VisitRecorder, useValue: visitRecorder },
        { provide: NotFoundRecorder, useValue: visitRecorder.notFound },
        { provide: Dashboard, useValue: dashboard },
        { provide: ManifestDeps, useValue: new ManifestDeps(locales, users, media, version) },
      ],
    };
  }
}
