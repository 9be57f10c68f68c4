import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { object, string } from 'yup';
import type { ApiError } from '../api/apiError';
import { isUnknown } from '../api/isUnknown';
import { useAppForm } from './useAppForm';
import { newUser } from '../../testing/newUser';

interface Values {
  name: string;
  city: string;
}

const send = vi.fn<(values: Values) => Promise<unknown>>();
const explain = vi.fn(({ sentence }: ApiError): string | undefined => sentence);
const onInvalid = vi.fn();
const loadSchema = () =>
  Promise.resolve(object({ name: string().required('Name?'), city: string().defined() }));

function Form() {
  const { register, errors, isSubmitting, problem, submit } = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { name: '', city: '' },
    send,
    explain,
    onInvalid,
  });
  return (
    <form onSubmit={submit} noValidate>
      <input aria-label="Name" {...register('name')} />
      <p>{errors.name?.message}</p>
      <input aria-label="City" {...register('city')} />
      <p>{errors.city?.message}</p>
      <div role="alert">{problem}</div>
      <button aria-disabled={isSubmitting}>{isSubmitting ? 'Sending' : 'Send'}</button>
    </form>
  );
}

const refusal = (changes: Partial<ApiError> = {}): ApiError => ({
  status: 400,
  message: '400',
  sentence: 'That did not work.',
  ...changes,
});

const input = (label: string) => screen.getByLabelText(label);
const button = () => screen.getByRole('button');

async function filled() {
  const user = newUser();
  render(<Form />);
  await user.type(input('Name'), 'Ada');
  return user;
}

beforeEach(() => {
  send.mockReset().mockResolvedValue(undefined);
  explain.mockClear();
  onInvalid.mockClear();
});

describe('a form', () => {
  it('sends what its rules take', async () => {
    const user = await filled();
    await user.click(button());
    await waitFor(() => expect(send).toHaveBeenCalledWith({ name: 'Ada', city: '' }, undefined));
    expect(onInvalid).not.toHaveBeenCalled();
  });

  it('sends nothing that its rules refuse, and leads to the first error', async () => {
    const user = newUser();
    render(<Form />);
    await user.click(button());
    expect(await screen.findByText('Name?')).toBeInTheDocument();
    expect(input('Name')).toHaveFocus();
    expect(onInvalid).toHaveBeenCalledOnce();
    expect(send).not.toHaveBeenCalled();
  });

  it('has one request at a time, also for Enter twice, and keeps the focus on the button', async () => {
    let answer = () => {};
    send.mockReturnValue(new Promise<void>((resolve) => (answer = resolve)));
    const user = await filled();
    await user.dblClick(button());
    fireEvent.submit(button().closest('form')!);
    await waitFor(() => expect(button()).toHaveTextContent('Sending'));
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    await user.keyboard('{Enter}{Enter}');
    expect(button()).toHaveFocus();
    expect(send).toHaveBeenCalledOnce();
    answer();
    await waitFor(() => expect(button()).toHaveTextContent('Send'));
    expect(button()).toHaveFocus();
    await user.click(button());
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  });

  it('that failed says why, keeps what was typed, and forgets why at the next try', async () => {
    send.mockRejectedValueOnce(refusal());
    const user = await filled();
    await user.click(button());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('That did not work.'));
    expect(input('Name')).toHaveValue('Ada');
    expect(button()).toHaveAttribute('aria-disabled', 'false');
    await user.click(button());
    await waitFor(() => expect(screen.getByRole('alert')).toBeEmptyDOMElement());
    expect(send).toHaveBeenCalledTimes(2);
  });

  it("puts the server's messages at their inputs, focuses the first, and says nothing else", async () => {
    const fields = { city: ['No such city', 'Too short'], name: ['No such name'], other: ['No'] };
    send.mockRejectedValueOnce(refusal({ fields }));
    const user = await filled();
    await user.click(button());
    expect(await screen.findByText(/No such city\s+Too short/)).toBeInTheDocument();
    expect(screen.getByText('No such name')).toBeInTheDocument();
    expect(input('City')).toHaveFocus();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    expect(explain).toHaveBeenCalledOnce();
  });

  it('says why when the server names only what has no input here', async () => {
    send.mockRejectedValueOnce(refusal({ fields: { other: ['No'] } }));
    const user = await filled();
    await user.click(button());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('That did not work.'));
  });
});

describe('an answer', () => {
  it.each(['offline', 'timeout', 'unreachable', 'unreadable', 500, 502, 503] as const)(
    '%s does not tell whether it was done',
    (status) => expect(isUnknown(refusal({ status }))).toBe(true),
  );
  it.each([400, 401, 404, 409, 429])('%s does', (status) =>
    expect(isUnknown(refusal({ status }))).toBe(false),
  );
});
