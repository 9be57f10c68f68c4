import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PersonView } from '../../api/people';
import { adminCall } from '../../../testing/console/handlers';
import {
  aPerson,
  erased,
  FILE,
  personIs,
  requestsAre,
  tagsAre,
} from '../../../testing/console/people';
import { part, renderAdmin, toast } from '../../../testing/console/renderConsole';
import { aMe, permissionsOf } from '../../../testing/console/staff';
import { refusing, server } from '../../../testing/server';

const CALL = '/api/admin/people/7/opt-out';

const optedOut = (): PersonView => {
  const person = aPerson();
  return { ...person, profile: { ...person.profile, hasOptedOut: true } };
};

const button = () => screen.queryByRole('button', { name: 'Stop texts' });

beforeEach(() => server.use(tagsAre(['vip']), requestsAre([])));

describe('stopping texts to a person', () => {
  async function open() {
    let person = aPerson();
    const sent: unknown[] = [];
    server.use(
      personIs(() => person),
      adminCall('post', 'people/7/opt-out', async (request) => {
        sent.push(await request.json());
        person = optedOut();
        return {};
      }),
    );
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name: 'Stop texts' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Stop texts to (555) 123-4567?' });
    const reason = within(dialog).getByLabelText('Reason');
    const confirm = within(dialog).getByRole('button', { name: 'Stop texts' });
    return { user, sent, dialog, reason, confirm, letOptOut: () => (person = optedOut()) };
  }

  it('asks why, and shows then that only START lifts it', async () => {
    const { user, sent, dialog, reason, confirm } = await open();
    expect(dialog).toHaveAccessibleDescription(/start again only when this number texts START/);
    await user.type(reason, '  Wrote a letter ');
    await user.dblClick(confirm);
    expect(await toast()).toHaveTextContent('This number gets no more texts');
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([{ reason: 'Wrote a letter' }]);
    const signUp = await part('Sign-up');
    expect(await within(signUp).findByText('Opted out')).toBeInTheDocument();
    expect(signUp).toHaveTextContent(/Texts start again only when this number texts START/);
    expect(button()).not.toBeInTheDocument();
    await waitFor(() => expect(signUp.parentElement).toHaveFocus());
  });

  it('does nothing without a reason', async () => {
    const { user, sent, dialog, reason, confirm } = await open();
    await user.click(confirm);
    await waitFor(() => expect(reason).toHaveAccessibleDescription(/Enter a reason/));
    await user.type(reason, 'No');
    expect(reason).toHaveAccessibleDescription(/Must have 3 to 500 characters/);
    await user.clear(reason);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([]);
    expect(button()).toHaveFocus();
  });

  it('says when the number gets no texts already, and keeps what was typed', async () => {
    const { user, dialog, reason, confirm, letOptOut } = await open();
    const error = 'This number gets no texts already.';
    server.use(refusing(CALL, 409, { error, code: 'opted_out' }));
    letOptOut();
    await user.type(reason, 'Wrote a letter');
    await user.click(confirm);
    expect(await within(dialog).findByText(error)).toHaveAttribute('role', 'alert');
    expect(await within(await part('Sign-up')).findByText('Opted out')).toBeInTheDocument();
    expect(reason).toHaveValue('Wrote a letter');
  });

  it('puts the words of the server at the reason', async () => {
    const { user, reason, confirm } = await open();
    const fields = { reason: ['Must have 3 to 500 characters'] };
    server.use(refusing(CALL, 400, { error: 'No', code: 'validation', fields }));
    await user.type(reason, 'Wrote a letter');
    await user.click(confirm);
    await waitFor(() => expect(reason).toHaveAccessibleDescription(/Must have 3 to 500/));
  });
});

describe('the button that stops texts', () => {
  it('is not there for a number that opted out', async () => {
    server.use(personIs(optedOut()));
    renderAdmin(FILE);
    expect(await part('Sign-up')).toHaveTextContent('No: this number gets no texts. Texts start');
    expect(button()).not.toBeInTheDocument();
  });

  it('is not there once the number is deleted', async () => {
    server.use(personIs(erased()));
    renderAdmin(FILE);
    await part('Sign-up');
    expect(button()).not.toBeInTheDocument();
  });

  it.each([
    { who: 'support', permissions: permissionsOf('support'), count: 1 },
    {
      who: 'those who may not change people',
      permissions: permissionsOf('support').filter((one) => one !== 'edit_people'),
      count: 0,
    },
  ])('is there $count times for $who', async ({ permissions, count }) => {
    server.use(
      personIs(aPerson()),
      adminCall('get', 'me', () => aMe({ role: 'support', permissions })),
    );
    renderAdmin(FILE);
    await part('Sign-up');
    expect(screen.queryAllByRole('button', { name: 'Stop texts' })).toHaveLength(count);
  });
});
