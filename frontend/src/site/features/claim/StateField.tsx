import { states } from './states';
import { describing, FieldError, type Field } from './TextField';

const ID = 'claim-state';

export function StateField({ field }: { field: Field }) {
  const { error, ...registered } = field;
  return (
    <div className="field">
      <label htmlFor={ID}>State</label>
      <select
        id={ID}
        autoComplete="address-level1"
        required
        {...describing(ID, error)}
        {...registered}
      >
        <option value="">Choose a state</option>
        {Object.entries(states).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <FieldError id={ID} error={error} />
    </div>
  );
}
