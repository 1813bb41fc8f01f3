"""Mail providers at which anybody has an address: a shared domain says nothing of two players there."""

from __future__ import annotations

from typing import Final

_NAMES: Final = """
126.com 163.com 1und1.de abv.bg aim.com alice.it aliyun.com aol.com aol.de aol.fr arcor.de att.net bbox.fr bell.net
bigpond.com bluewin.ch blueyonder.co.uk bol.com.br btinternet.com centrum.cz charter.net comcast.net cox.net
disroot.org duck.com earthlink.net eircom.net email.com email.cz email.de fastmail.com fastmail.fm fastwebnet.it
foxmail.com free.fr freemail.hu freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.fr gmx.net gmx.us googlemail.com
hetnet.nl hey.com home.nl hotmail.be hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl
hushmail.com icloud.com inbox.lv inbox.ru interia.pl iol.pt juno.com kabelmail.de kolabnow.com kpnmail.nl laposte.net
libero.it list.ru live.be live.ca live.co.uk live.com live.de live.fr live.it live.nl lycos.com mac.com mail.be
mail.bg mail.com mail.de mail.dk mail.ee mail.ru mailbox.org mailfence.com me.com msn.com mymail.ch myyahoo.com
naver.com neuf.fr nifty.com o2.pl o2online.de onet.pl online.de online.no optonline.net optusnet.com.au orange.fr
outlook.at outlook.be outlook.com outlook.de outlook.es outlook.fr outlook.it pm.me post.cz posteo.de posteo.eu
posteo.net proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com riseup.net rogers.com runbox.com
sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sky.com skynet.be sympatico.ca systemli.org t-online.de talktalk.net
tele2.se telenet.be telia.com tin.it tiscali.it tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net
uol.com.br verizon.net videotron.ca virgilio.it virginmedia.com vodafone.de vodafone.it walla.co.il wanadoo.fr web.de
wp.pl xs4all.nl yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.au yahoo.com.br yahoo.de yahoo.es
yahoo.fr yahoo.it yandex.com yandex.ru ymail.com zeelandnet.nl ziggo.nl zoho.com zoho.eu zonnet.nl
"""
PROVIDERS: Final = frozenset(_NAMES.split())
"""Domains in lower case. A provider that is missing here costs its customers no more than the cap of P-20."""
