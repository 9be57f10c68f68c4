import { EmptyState } from '../../ui/states';

export function NoFlaggedUsers() {
  return <EmptyState title="No flagged users">All users are eligible for drawings</EmptyState>;
}
