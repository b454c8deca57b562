import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** The implemented operations of document 1, Endpoints. Paths are relative to `{api}`. */
const operations = `
  GET    /content/{collection}                        listContent
  POST   /content/{collection}                        createContent
  GET    /content/{collection}/{id}                   getContent
  PUT    /content/{collection}/{id}                   updateContent
  DELETE /content/{collection}/{id}                   deleteContent
  POST   /content/{collection}/{id}/publish           publishContent
  POST   /content/{collection}/{id}/unpublish         unpublishContent
  POST   /content/{collection}/{id}/schedule          scheduleContent
  DELETE /content/{collection}/{id}/schedule          unscheduleContent
  POST   /content/{collection}/{id}/duplicate         duplicateContent
  POST   /content/{collection}/{id}/restore           restoreContent
  DELETE /content/{collection}/{id}/permanent         permanentDeleteContent
  GET    /content/{collection}/{id}/compare           compareContent
  POST   /content/{collection}/{id}/discard-draft     discardDraft
  GET    /content/{collection}/{id}/translations      getContentTranslations
  GET    /content/{collection}/{id}/lock              getEntryLock
  POST   /content/{collection}/{id}/lock              acquireEntryLock
  DELETE /content/{collection}/{id}/lock              releaseEntryLock
  GET    /content/{collection}/{id}/terms/{taxonomy}  getContentTerms
  POST   /content/{collection}/{id}/terms/{taxonomy}  setContentTerms
  GET    /content/{collection}/authors                listContentAuthors
  GET    /content/{collection}/trash                  listTrashedContent
  GET    /media                                      listMedia
  POST   /media                                      uploadMedia
  GET    /media/folders                              listMediaFolders
  POST   /media/folders                              createMediaFolder
  GET    /media/folders/{id}                         getMediaFolder
  PUT    /media/folders/{id}                         updateMediaFolder
  DELETE /media/folders/{id}                         deleteMediaFolder
  GET    /media/{id}                                 getMedia
  PUT    /media/{id}                                 updateMedia
  DELETE /media/{id}                                 deleteMedia
  GET    /media/{id}/usage                           getMediaUsage
  PUT    /media/{id}/replace                         replaceMediaImage
  POST   /media/upload-url                           getMediaUploadUrl
  POST   /media/{id}/confirm                         confirmMediaUpload
  PUT    /media/{id}/upload                          uploadPendingMedia
  POST   /admin/media-usage/repair                   repairMediaUsage
  GET    /admin/media-usage/progress                 getMediaUsageProgress
  POST   /admin/media-usage/progress                 advanceMediaUsageProgress
  GET    /admin/media-usage/work                     listMediaUsageWork
  GET    /admin/transfer/capabilities               getTransferCapabilities
  GET    /admin/transfer/imports                    listTransferImports
  POST   /admin/transfer/imports                    createTransferImport
  GET    /admin/transfer/imports/{id}               getTransferImport
  GET    /admin/transfer/imports/{id}/missing       listTransferImportMissingFiles
  PUT    /admin/transfer/imports/{id}/files/{path}  uploadTransferImportFile
  POST   /admin/transfer/imports/{id}/execute       executeTransferImport
  POST   /admin/transfer/imports/{id}/advance       advanceTransferImport
  POST   /admin/transfer/imports/{id}/cancel        cancelTransferImport
  POST   /admin/transfer/imports/{id}/abandon       abandonTransferImport
  GET    /admin/transfer/imports/{id}/receipt       getTransferImportReceipt
  GET    /admin/transfer/exports                    listTransferExports
  POST   /admin/transfer/exports                    createTransferExport
  GET    /admin/transfer/exports/{id}               getTransferExport
  POST   /admin/transfer/exports/{id}/advance       advanceTransferExport
  GET    /admin/transfer/exports/{id}/manifest      getTransferExportManifest
  GET    /admin/transfer/exports/{id}/files/{path}  downloadTransferExportFile
  GET    /admin/transfer/exports/{id}/archive       downloadTransferExportArchive
  GET    /admin/transfer/approvals                  listTransferApprovals
  POST   /admin/transfer/approvals/{id}/approve     approveTransferApproval
  POST   /admin/transfer/approvals/{id}/deny        denyTransferApproval
  GET    /admin/media-usage/activation               getMediaUsageActivation
  POST   /admin/media-usage/activation               advanceMediaUsageActivation
  POST   /admin/media-usage/work/retry               retryMediaUsageWork
  GET    /admin/media-usage/collection-deletions     listMediaUsageCollectionDeletions
  POST   /admin/media-usage/collection-deletions/retry retryMediaUsageCollectionDeletion
  GET    /schema/collections                          listCollections
  POST   /schema/collections                          createCollection
  GET    /schema/collections/{slug}                   getCollection
  PUT    /schema/collections/{slug}                   updateCollection
  DELETE /schema/collections/{slug}                   deleteCollection
  GET    /schema/collections/{slug}/fields            listFields
  POST   /schema/collections/{slug}/fields            createField
  GET    /schema/collections/{slug}/fields/{fieldSlug}    getField
  PUT    /schema/collections/{slug}/fields/{fieldSlug}    updateField
  DELETE /schema/collections/{slug}/fields/{fieldSlug}    deleteField
  POST   /schema/collections/reorder                  reorderCollections
  POST   /schema/collections/{slug}/fields/reorder    reorderFields
  GET    /schema/block-types                          listBlockTypes
  POST   /schema/block-types                          createBlockType
  GET    /schema/block-types/{slug}                   getBlockType
  PUT    /schema/block-types/{slug}                   updateBlockType
  POST   /schema/block-types/{slug}/versions/{version}/activate    activateBlockTypeVersion
  GET    /taxonomies                                  listTaxonomies
  GET    /taxonomies/{name}                           getTaxonomy
  PUT    /taxonomies/{name}                           updateTaxonomy
  DELETE /taxonomies/{name}                           deleteTaxonomy
  GET    /taxonomies/{name}/translations              listTaxonomyTranslations
  POST   /taxonomies/{name}/reorder                   reorderTerms
  GET    /taxonomies/{name}/terms                     listTerms
  POST   /taxonomies/{name}/terms                     createTerm
  GET    /taxonomies/{name}/terms/{slug}              getTerm
  PUT    /taxonomies/{name}/terms/{slug}              updateTerm
  DELETE /taxonomies/{name}/terms/{slug}              deleteTerm
  GET    /comments/{collection}/{contentId}           listPublicComments
  POST   /comments/{collection}/{contentId}           createComment
  GET    /admin/comments                              listAdminComments
  GET    /admin/comments/counts                       getCommentCounts
  POST   /admin/comments/bulk                         bulkCommentAction
  GET    /admin/comments/{id}                         getComment
  DELETE /admin/comments/{id}                         deleteComment
  PUT    /admin/comments/{id}/status                  updateCommentStatus
  GET    /schema/orphans                              listOrphanedTables
  POST   /schema/orphans/{slug}                       registerOrphanedTable
  GET    /menus                                       listMenus
  POST   /menus                                       createMenu
  GET    /menus/{name}                                getMenu
  PUT    /menus/{name}                                updateMenu
  DELETE /menus/{name}                                deleteMenu
  POST   /menus/{name}/items                          createMenuItem
  PUT    /menus/{name}/items/{id}                     updateMenuItem
  DELETE /menus/{name}/items/{id}                     deleteMenuItem
  POST   /menus/{name}/reorder                        reorderMenuItems
  GET    /search                                     search
  POST   /search/enable                              enableSearch
  POST   /search/rebuild                             rebuildSearchIndex
  GET    /search/stats                               getSearchStats
  GET    /search/suggest                             searchSuggest
  GET    /sections                                    listSections
  POST   /sections                                    createSection
  GET    /sections/{slug}                             getSection
  PUT    /sections/{slug}                             updateSection
  DELETE /sections/{slug}                             deleteSection
  GET    /widget-areas                                listWidgetAreas
  POST   /widget-areas                                createWidgetArea
  GET    /widget-areas/{name}                         getWidgetArea
  DELETE /widget-areas/{name}                         deleteWidgetArea
  POST   /widget-areas/{name}/widgets                 createWidget
  PUT    /widget-areas/{name}/widgets/{id}            updateWidget
  DELETE /widget-areas/{name}/widgets/{id}            deleteWidget
  POST   /widget-areas/{name}/reorder                 reorderWidgets
  GET    /settings                                    getSettings
  PUT    /settings                                    updateSettings
  GET    /redirects                                   listRedirects
  POST   /redirects                                   createRedirect
  GET    /redirects/{id}                              getRedirect
  PUT    /redirects/{id}                              updateRedirect
  DELETE /redirects/{id}                              deleteRedirect
  GET    /redirects/404s                              listNotFoundEntries
  POST   /redirects/404s                              pruneNotFoundLog
  DELETE /redirects/404s                              clearNotFoundLog
  GET    /redirects/404s/summary                      getNotFoundSummary
  GET    /admin/users                                 listUsers
  GET    /admin/users/{id}                            getUser
  PUT    /admin/users/{id}                            updateUser
  POST   /admin/users/{id}/disable                    disableUser
  POST   /admin/users/{id}/enable                     enableUser
  GET    /admin/allowed-domains                       listAllowedDomains
  POST   /admin/allowed-domains                       createAllowedDomain
  PUT    /admin/allowed-domains/{domain}              updateAllowedDomain
  DELETE /admin/allowed-domains/{domain}              deleteAllowedDomain
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/).join(' '));

interface Operation {
  operationId: string;
  security?: object[];
  responses: Record<string, { description: string }>;
}
interface Document {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, Operation>>;
  security: object[];
}

const site = useSite();
let anonymous: Client;
let document: Document;

beforeAll(async () => {
  anonymous = site.anonymous();
  document = (await anonymous.get('/openapi.json')).body as Document;
});

const all = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

describe('GET /openapi.json (document 1, Versioning)', () => {
  it('returns OpenAPI 3.1 without the envelope, without credentials and to any origin', async () => {
    const { status, headers } = await anonymous.get('/openapi.json');
    expect([status, headers.get('access-control-allow-origin'), document.openapi]).toEqual([
      200,
      '*',
      '3.1.0',
    ]);
    expect(headers.get('content-type')).toContain('application/json');
    expect(document).not.toHaveProperty('success');
  });

  it('contains the upload limit of the installation (CMS_MAX_UPLOAD_BYTES)', () => {
    const limit = 50 * 1024 * 1024;
    expect(document.info['x-max-upload-bytes']).toBe(limit);
    const bodyOf = (type: string, schema: object) => ({ requestBody: { content: { [type]: { schema } } } });
    const form = bodyOf('multipart/form-data', { properties: { file: { maxLength: limit } } });
    expect(document.paths).toMatchObject({
      '/_cms/api/media': { post: form },
      '/_cms/api/media/{id}/replace': { put: form },
      '/_cms/api/media/{id}/upload': { put: bodyOf('*/*', { maxLength: limit }) },
      '/_cms/api/media/upload-url': {
        post: bodyOf('application/json', { properties: { size: { maximum: limit } } }),
      },
    });
  });

  it('contains exactly the documented operations with the ids of document 1', () => {
    const named = all().map(
      ({ path, method, operation }) => `${method} ${path.replace('/_cms/api', '')} ${operation.operationId}`,
    );
    expect(named.sort()).toEqual([...operations].sort());
  });

  it('passes the linter, except for paths that document 1 defines', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    const readable = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
    );
    // Document 1 defines these paths. `folders` is never the id of an item, nor `confirm` the id of a folder.
    expect(readable).toEqual([
      expect.stringMatching(
        /^no-ambiguous-paths: .*`\/_cms\/api\/media\/\{id\}\/confirm` and `\/_cms\/api\/media\/folders\/\{id\}`/,
      ),
    ]);
  });

  it('lists the error statuses of every operation', () => {
    const incomplete = all().filter(({ operation }) =>
      ['400', '401', '403', '429', '500', '503'].some((status) => !(status in operation.responses)),
    );
    expect(incomplete.map(({ operation }) => operation.operationId)).toEqual([]);
    const put = document.paths['/_cms/api/content/{collection}/{id}']?.['put'];
    expect(put?.responses['409']?.description).toContain('CONFLICT');
    expect(put?.responses['413']?.description).toContain('PAYLOAD_TOO_LARGE');
    expect(put?.responses['403']?.description).toContain('CSRF_REJECTED');
  });

  it('requires a session or a Bearer token except for public operations', () => {
    expect(document.security).toEqual([{ session: [] }, { bearer: [] }]);
    const open = all().filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ operation }) => operation.operationId).sort()).toEqual([
      'createComment',
      'listPublicComments',
    ]);
  });
});
