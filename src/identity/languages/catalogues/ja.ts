import type { Catalogue } from './catalogue.js';

export const ja: Catalogue = {
  'mail.code': 'サインインするには、アプリケーションで次のコードを入力してください。',
  'mail.fallback': 'ボタンが機能しない場合は、次のアドレスをブラウザーにコピーしてください。',
  'mail.help': 'ヘルプ',
  'mail.test.subject': 'テストメール',
  'mail.test.message': 'メールの設定は正しく機能しています。何もする必要はありません。',

  'mail.verification.subject': 'メールアドレスを確認してください',
  'mail.verification.opening':
    '{email} でアカウントが登録されました。お心当たりがある場合は、ご自分のアドレスであることを確認してください。',
  'mail.verification.button': 'アドレスを確認する',
  'mail.verification.closing':
    'リンクの有効期間は{duration}で、一度だけ使用できます。登録した覚えがない場合は、このメールを無視してください。',

  'mail.recovery.subject': '新しいパスワードを設定してください',
  'mail.recovery.subject_named': '{brand} の新しいパスワードを設定してください',
  'mail.recovery.opening': '{email} の新しいパスワードがリクエストされました。',
  'mail.recovery.opening_named': '{brand} で {email} の新しいパスワードがリクエストされました。',
  'mail.recovery.button': '新しいパスワードを設定する',
  'mail.recovery.closing':
    'リンクの有効期間は{duration}で、一度だけ使用できます。お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',

  'mail.magic_link.subject': '{brand} へのサインイン',
  'mail.magic_link.opening': '{email} で {brand} へのサインインがリクエストされました。',
  'mail.magic_link.button': '続ける',
  'mail.magic_link.closing':
    'コードとボタンの有効期間は{duration}で、どちらか一方を一度だけ使用できます。お心当たりがない場合は、このメールを無視してください。',

  'mail.invite.subject': '{brand} に招待されました',
  'mail.invite.opening':
    '{email} として {brand} に招待されました。招待を承諾するには、パスワードを設定してください。',
  'mail.invite.organization_subject': '{org} に招待されました',
  'mail.invite.organization_opening': '{inviter} さんから {org} への参加に招待されました（ロール：{role}）。',
  'mail.invite.button': '招待を承諾する',
  'mail.invite.closing':
    'リンクの有効期間は{duration}で、一度だけ使用できます。招待に心当たりがない場合は、このメールを無視してください。',

  'mail.email_change.subject': '新しいメールアドレスを確認してください',
  'mail.email_change.opening':
    'アカウントのアドレスを {email} に変更するリクエストがありました。ご自分で行った場合は、確認してください。',
  'mail.email_change.button': 'このアドレスを使用する',
  'mail.email_change.closing':
    'リンクの有効期間は{duration}で、一度だけ使用できます。お心当たりがない場合は、このメールを無視し、ご自分のものではないアカウントを確認しないでください。',

  'mail.notice.closing':
    '対象のアカウントは {email} です。お心当たりがない場合は、サービスの運営者にお問い合わせください。',
  'notice.password_set.title': 'パスワードが変更されました',
  'notice.password_set.message':
    '管理者がアカウントに新しいパスワードを設定し、すべてのセッションを終了しました。',
  'notice.password_removed.title': 'パスワードが削除されました',
  'notice.password_removed.message':
    '管理者がアカウントのパスワードを削除し、すべてのセッションを終了しました。再びサインインするには、新しいパスワードをリクエストしてください。',
  'notice.factor_added.title': '二要素認証の手段が追加されました',
  'notice.factor_added.message':
    'アカウントに二要素認証の手段が追加されました。お心当たりがない場合は、新しいパスワードをリクエストし、二要素認証のリセットを管理者に依頼してください。',
  'notice.factor_removed.title': '二要素認証の手段が削除されました',
  'notice.factor_removed.message':
    'アカウントから二要素認証の手段が削除されました。お心当たりがない場合は、パスワードを変更し、ほかのセッションを終了してください。',
  'notice.factors_reset.title': '二要素認証がリセットされました',
  'notice.factors_reset.message':
    '管理者がアカウントの二要素認証の手段をすべて削除し、すべてのセッションを終了しました。サインインして、新しい手段を追加してください。',
  'notice.email_change_requested.title': 'アドレスが変更されようとしています',
  'notice.email_change_requested.message':
    'アカウントにサインインしている人が、アドレスの変更をリクエストしました。お心当たりがない場合は、今すぐパスワードを変更してください。リクエストは取り消されます。',
  'notice.email_changed.title': 'アドレスが変更されました',
  'notice.email_changed.message':
    'アカウントのアドレスが変更され、このアドレスではサインインできなくなりました。お心当たりがない場合は、管理者に連絡してください。',

  'page.help': 'ヘルプ',
  'page.field.email': 'メールアドレス',
  'page.field.password': 'パスワード',
  'page.field.new_password': '新しいパスワード',
  'page.field.repeat': 'パスワードの再入力',
  'page.field.length': '{minLength, plural, other {# 文字}}以上で入力してください。',

  'page.dead_link.title': 'このリンクは使用できません',
  'page.dead_link.text':
    'リンクがすでに使用されたか、期限が切れたか、新しいリンクに置き換えられたか、一部が欠けています。',
  'page.dead_link.next': '新しいメールをリクエストしてください。',
  'page.dead_link.new_link':
    '新しいメールがまだ届いていない場合は、新しいリンクを同じアドレスに送信できます。',
  'page.dead_link.button': '新しいリンクを送信',
  'page.new_link.title': 'メールをご確認ください',
  'page.new_link.text':
    'リンクを再発行できる場合は、新しいリンクを記載したメールを同じアドレスにお送りします。',
  'page.new_link.next':
    '数分たってもメールが届かない場合は、アプリケーションに戻り、そこでメールをリクエストしてください。このページは閉じてかまいません。',
  'page.new_link.dead_next': 'アプリケーションに戻り、新しいメールをリクエストしてください。',
  'page.destination': 'その後、<b>{destination}</b> に移動します。',
  'page.go_on.title': '完了しました',
  'page.go_on.text': 'アプリケーションに戻ることができます。',
  'page.sign_up_closed.title': '新規登録は受け付けていません',
  'page.sign_up_closed.text':
    'このサービスでは新しいアカウントを受け付けていないため、リンクからアカウントを作成できません。',
  'page.sign_up_closed.next':
    '別のアドレスのアカウントをお持ちの場合は、そのアカウントでサインインしてください。お持ちでない場合は、サービスの運営者にアカウントの作成を依頼してください。',
  'page.rate_limited.title': '試行回数が多すぎます',
  'page.rate_limited.text': 'お使いのネットワークからの試行回数が多すぎます。',
  'page.rate_limited.next': '数分待ってから、メールのリンクをもう一度開いてください。',
  'page.refused.title': '処理できませんでした',
  'page.refused.text': 'リクエストは拒否されました。',
  'page.refused.email_taken': 'このメールアドレスのアカウントはすでに存在します。',
  'page.refused.email_not_verified': '先にアカウントのメールアドレスを確認してください。',
  'page.refused.invitation_void':
    '招待した人がすでに脱退しているか、このロールで招待する権限を失っています。',
  'page.refused.role_deleted': '招待のロールは削除されました。',
  'page.refused.already_member': 'このアドレスはすでにメンバーのものです。',
  'page.refused.user_disabled': 'アカウントは無効になっています。',
  'page.problem.invalid_credentials': 'パスワードが正しくありません。',
  'page.problem.sign_in_required':
    'このアドレスにはすでにアカウントがあります。そのパスワードを入力してください。',
  'page.problem.weak_password':
    'このパスワードは非常に多く使われているものです。別のパスワードを選んでください。',
  'page.problem.overloaded': 'サービスが混み合っています。数秒後にもう一度お試しください。',
  'page.problem.repeat': '2 つのパスワードが一致しません。',
  'page.problem.enter_password': 'パスワードを入力してください。',
  'page.problem.password_length': 'パスワードは{minLength, plural, other {# 文字}}以上で入力してください。',

  'page.verify.title': 'アドレスを確認してください',
  'page.verify.text':
    '<b>{email}</b> でアカウントが登録されました。ご自分で登録した場合は、ご自分のアドレスであることを確認してください。',
  'page.verify.button': 'アドレスを確認する',
  'page.verify.stranger':
    '登録した覚えがない場合は、このページを閉じてください。ご自分のものではないアカウントを確認しないでください。',
  'page.verify.done': 'アドレスが確認されました',
  'page.verify.done_text': '<b>{email}</b> が確認されました。',
  'page.verify.done_next': 'アプリケーションに戻ってサインインしてください。このページは閉じてかまいません。',
  'page.verify.dead_next':
    '登録したアプリケーションにサインインし、新しい確認メールをリクエストしてください。',

  'page.recover.title': '新しいパスワードの設定',
  'page.recover.text': '新しいパスワードを入力してください。すべてのデバイスからサインアウトされます。',
  'page.recover.button': 'パスワードを設定する',
  'page.recover.done': 'パスワードが設定されました',
  'page.recover.done_text':
    '<b>{email}</b> の新しいパスワードが有効になり、すべてのデバイスからサインアウトされました。',
  'page.recover.done_next':
    'アプリケーションに戻り、新しいパスワードでサインインしてください。このページは閉じてかまいません。',
  'page.recover.dead_next':
    'サインインするアプリケーションに戻り、もう一度新しいパスワードをリクエストしてください。',

  'page.change_email.title': '新しいアドレスを確認してください',
  'page.change_email.text':
    'アカウントのアドレスを <b>{formerEmail}</b> から <b>{newEmail}</b> に変更するリクエストがありました。ご自分で行った場合は、確認してください。',
  'page.change_email.button': 'このアドレスを使用する',
  'page.change_email.stranger':
    'お心当たりがない場合は、このページを閉じてください。ご自分のものではないアカウントにアドレスを使わせないでください。',
  'page.change_email.done': 'アドレスが変更されました',
  'page.change_email.done_text': 'アカウントのアドレスは <b>{email}</b> になりました。',
  'page.change_email.done_next':
    '今後はこのアドレスでサインインしてください。このページは閉じてかまいません。',
  'page.change_email.dead_next': 'アプリケーションに戻り、アドレスをもう一度変更してください。',

  'page.invitation.title': '{org} に参加',
  'page.invitation.text': '<b>{org}</b> にロール <b>{role}</b> で招待されています。',
  'page.invitation.new_account': '新しいアカウントのパスワードを入力してください。',
  'page.invitation.account': 'このアドレスにはアカウントがあります。そのパスワードを入力してください。',
  'page.invitation.button': '招待を承諾する',
  'page.invitation.done': 'ようこそ',
  'page.invitation.done_text':
    '<b>{email}</b> はロール <b>{role}</b> で <b>{org}</b> のメンバーになりました。',
  'page.invitation.done_next':
    'アプリケーションに戻ってサインインしてください。このページは閉じてかまいません。',
  'page.invitation.dead_next': '招待した人に、新しい招待を依頼してください。',

  'page.invite.title': '{brand} に参加',
  'page.invite.text': '<b>{brand}</b> に招待されています。新しいアカウントのパスワードを入力してください。',
  'page.invite.done_text': '<b>{brand}</b> のアカウント <b>{email}</b> の準備ができました。',
  'page.invite.done_next':
    'アプリケーションに戻り、パスワードでサインインしてください。このページは閉じてかまいません。',

  'page.magic_link.title': 'アドレスを確認してください',
  'page.magic_link.text':
    'メールをリクエストした場合は、<b>{email}</b> が <b>{brand}</b> でのご自分のアドレスであることを確認してください。',
  'page.magic_link.code':
    'サインインするには、ボタンの代わりに、メールのコードをアプリケーションで入力してください。コードは一度だけ有効で、このボタンを押すと使用済みになります。',
  'page.magic_link.done_next':
    'アプリケーションに戻り、サインインのための新しいメールをリクエストしてください。このページは閉じてかまいません。',
  'page.magic_link.dead_next': 'サインインするアプリケーションに戻り、新しいメールをリクエストしてください。',
  'page.magic_link.sign_in': '{brand} へのサインイン',
  'page.magic_link.sign_in_text':
    'メールをリクエストした場合は、<b>{email}</b> としてサインインしてください。',
  'page.magic_link.sign_in_button': 'サインイン',
  'page.magic_link.stranger': 'お心当たりがない場合は、このページを閉じてください。',
};
