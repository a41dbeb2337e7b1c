from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def projects(request: HttpRequest) -> HttpResponse:
    return render(request, "base.html")
