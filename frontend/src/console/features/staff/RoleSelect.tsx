import type { SelectHTMLAttributes } from 'react';
import { roleNames } from '../../lib/roleWords';

/** The roles, the one that may least first. */
export function RoleSelect(props: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...props}>
      {Object.entries(roleNames)
        .reverse()
        .map(([role, name]) => (
          <option key={role} value={role}>
            {name}
          </option>
        ))}
    </select>
  );
}
