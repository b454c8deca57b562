import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CacheRelay, OutboxDispatcher } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { CommentsController, CommentServices, type Captcha, type CommenterCookie } from './comments/index.js';
import { Dashboard, DashboardController } from './dashboard/index.js';
import { EntriesController, EntryMoves, EntryServices } from './entries/index.js';
import { BylineFieldsController, BylinesController } from './bylines/index.js';
import { Locales } from './locales/index.js';
import { LocksController } from './locks/index.js';
import { ReferencesController } from './references/index.js';
import { ManifestController, ManifestServices } from './manifest/index.js';
import { MediaReferencesController } from './media-references/index.js';
import { MediaDirectory } from './media/index.js';
import { MenusController } from './menus/index.js';
import { NotFoundLogController, NotFoundRecorder } from './not-found-log/index.js';
import { PreviewLinks, PreviewsController } from './previews/index.js';
import { RedirectsController, SiteTraffic, SlugRedirects } from './redirects/index.js';
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
import { UserDirectory } from './users/index.js';
import { WidgetsController } from './widgets/index.js';
import { WriteFenceInterceptor, WriteFences } from './write-fence/index.js';

export interface ContentParts {
  definitions: Definitions;
  fences: WriteFences;
  relay: CacheRelay;
  locales: Locales;
  users: UserDirectory;
  media: MediaDirectory;
  dispatcher: OutboxDispatcher;
  traffic: SiteTraffic;
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
  static with(parts: ContentParts): DynamicModule {
    const {
      definitions,
      fences,
      relay,
      locales,
      users,
      media,
      dispatcher,
      traffic,
      limiter,
      captcha,
      commenters,
      dashboard,
      previews,
      version,
    } = parts;
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
        EntryServices,
        { provide: EntryMoves, useClass: SlugRedirects },
        SchemaChanges,
        { provide: Definitions, useValue: definitions },
        { provide: WriteFences, useValue: fences },
        { provide: APP_INTERCEPTOR, useClass: WriteFenceInterceptor },
        { provide: CacheRelay, useValue: relay },
        { provide: Locales, useValue: locales },
        { provide: UserDirectory, useValue: users },
        { provide: MediaDirectory, useValue: media },
        { provide: OutboxDispatcher, useValue: dispatcher },
        { provide: PreviewLinks, useValue: previews },
        { provide: SiteTraffic, useValue: traffic },
        { provide: NotFoundRecorder, useValue: traffic.notFound },
        { provide: Dashboard, useValue: dashboard },
        { provide: ManifestServices, useValue: new ManifestServices(locales, users, media, version) },
        {
          provide: CommentServices,
          useValue: new CommentServices(limiter, users, captcha, commenters, dispatcher),
        },
      ],
    };
  }
}
