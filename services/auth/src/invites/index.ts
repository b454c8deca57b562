export { Invite } from './invite.entity.js';
export { readInvite } from './operations/read-invite.js';
export { InvitesController } from './invites.controller.js';
export { deleteInvite, holdInviteByHash } from './invites.repository.js';
export { inviteIdsMigration, invitesMigration } from './invites.tables.js';
export { endInvites } from './operations/end-invites.js';
export { writeInviteMail } from './operations/write-invite-mail.js';
