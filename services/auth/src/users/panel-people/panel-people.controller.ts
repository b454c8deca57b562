import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { listPanelPeople } from './panel-people.operations.js';
import { panelPeopleQuery, panelPeopleSchema } from './panel-people.schemas.js';

const list = declareOperation({
  id: 'listPanelPeople',
  method: 'GET',
  path: 'panel/people',
  summary: 'List users by a part of their name, or by ids, without e-mail addresses',
  tag: 'Panel',
  access: 'content:read_drafts',
  scope: 'admin',
  isDocumented: false,
  query: panelPeopleQuery,
  response: panelPeopleSchema,
});

/** The users of the panel's pickers, and the names of users that it shows; not in the OpenAPI document. */
@Controller()
export class PanelPeopleController {
  @Operation(list)
  async list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return { items: await listPanelPeople(ctx, query) };
  }
}
