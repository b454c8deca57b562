import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CacheInvalidationBus, OutboxDispatcher } from '@quire/messages';
import { entitiesOf, globalProviders } from '@quire/operation';
import type { RateLimiter } from '@quire/rate-limit';
import { CommentsController, CommentDeps, type Captcha, type CommenterCookie } from './comments/index.js';
import { Dashboard, DashboardController } from './site/dashboard/index.js';
import { EntriesController, EntryUrlListener, EntryDeps } from './entries/index.js';
import { BylineFieldsController, BylinesController } from './bylines/index.js';
import { Locales } from './locales/index.js';
import { LocksController } from './entries/locks/index.js';
import { ReferencesController } from './entries/references/references.controller.js';
import { ManifestController, ManifestDeps } from './site/manifest/index.js';
import { MediaReferencesInternalController } from './integration/media-references/index.js';
import { MediaClient, AuthClient } from './clients/index.js';
import { MenusModule } from './site/menus/menus.module.js';
import { NotFoundRecorder } from './site/not-found-log/index.js';
import { NotFoundLogModule } from './site/not-found-log/not-found-log.module.js';
import { PreviewLinks, PreviewsController } from './entries/previews/index.js';
import { SlugRedirects, VisitRecorder } from './site/redirects/index.js';
import { RedirectsModule } from './site/redirects/redirects.module.js';
import { RevisionsController } from './entries/revisions/index.js';
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
import { TaxonomiesModule } from './taxonomies/definitions/taxonomies.module.js';
import { TermsModule } from './taxonomies/terms/terms.module.js';
import { SectionsModule } from './site/sections/sections.module.js';
import { SearchDocumentsInternalController } from './integration/search-documents/index.js';
import { SeedInternalController } from './site/seed/index.js';
import { SettingsModule } from './site/settings/settings.module.js';
import { WidgetsModule } from './site/widgets/widgets.module.js';
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
  MenusModule,
  NotFoundLogModule,
  RedirectsModule,
  SectionsModule,
  SettingsModule,
  TaxonomiesModule,
  TermsModule,
  WidgetsModule,
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
          { provide: ReadOnlyMode, useValue: readOnlyMode },
          { provide: CacheInvalidationBus, useValue: relay },
          { provide: Locales, useValue: locales },
          { provide: AuthClient, useValue: users },
          { provide: MediaClient, useValue: media },
          { provide: OutboxDispatcher, useValue: dispatcher },
          { provide: VisitRecorder, useValue: visitRecorder },
          { provide: NotFoundRecorder, useValue: visitRecorder.notFound },
          { provide: EntryUrlListener, useClass: SlugRedirects },
          EntryDeps,
          SchemaChanges,
        ]),
      ],
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
        MediaReferencesInternalController,
        BylinesController,
        BylineFieldsController,
        SeedInternalController,
        SchemaInternalController,
        SearchDocumentsInternalController,
        CommentsController,
        ManifestController,
        DashboardController,
      ],
      providers: [
        { provide: APP_INTERCEPTOR, useClass: ReadOnlyModeInterceptor },
        { provide: PreviewLinks, useValue: previews },
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
