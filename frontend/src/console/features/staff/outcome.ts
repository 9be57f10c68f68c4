import type { InvitationLinkView, StaffMemberView } from '../../api/staff';
import type { Proposed } from '../../lib/proposal';

/** What came of an owner's act: a link to hand on, a proposal, or a change that is done. */
export type Outcome = InvitationLinkView | Proposed | StaffMemberView;
