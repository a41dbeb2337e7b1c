from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView, LogoutView

sign_in = login_not_required(LoginView.as_view(template_name="pages/sign_in.html"))
sign_out = LogoutView.as_view()
